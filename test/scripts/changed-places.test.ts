import { expect, test } from 'vitest';
import { placesOfDiff } from '../../scripts/mutation/changed-places.js';

const diff = `diff --git a/src/a.ts b/src/a.ts
index 111..222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1 +1 @@ import x
-one
+two
@@ -10,0 +11,3 @@
+added
+++ looks like a header
+added
@@ -30,2 +33,0 @@
-removed
-removed
diff --git a/src/new.ts b/src/new.ts
new file mode 100644
--- /dev/null
+++ b/src/new.ts
@@ -0,0 +1,2 @@
+a
+b
`;

test('the changed lines of a diff are places; lines that went are not', () => {
  expect(placesOfDiff(diff)).toEqual(['src/a.ts:1-1', 'src/a.ts:11-13', 'src/new.ts:1-2']);
});

test('an empty diff has no places', () => {
  expect(placesOfDiff('')).toEqual([]);
});
