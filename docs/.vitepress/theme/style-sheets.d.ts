// Vite bundles style sheets that are imported for their effect; without `vite/client`, TypeScript does not know them.
declare module '*.css';
