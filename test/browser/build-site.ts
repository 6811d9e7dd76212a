import { builtSite } from '../helpers/built-site.js';

export default async function buildSite(): Promise<void> {
  await builtSite();
}
