import { describe, expect, test } from 'vitest';
import { mermaidSvg } from '../../scripts/diagrams.js';

describe('a diagram', () => {
  test('shows the texts of its nodes', () => {
    expect(mermaidSvg('flowchart TD\n  A[Call] --> B[Wait]\n  C[Stop] --> B')).toMatch(/>Call<.*>Wait</s);
  });

  test('whose node has its text only at a later mention is refused, because the picture shows its ID', () => {
    expect(() => mermaidSvg('flowchart TD\n  A[Call] --> B\n  C[Stop] --> B[Wait]')).toThrow('the ID B');
  });
});
