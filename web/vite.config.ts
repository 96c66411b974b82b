// The build: one page, its chunks named by content, into the folder the server's build script names.
import { defineConfig } from 'vite';

const out = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env;

export default defineConfig({
  base: './',
  build: {
    outDir: out?.NEBEL_WEB_OUT || 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // Pieces are data in the style sheet; nothing else is worth a request of its own.
    assetsInlineLimit: 8192,
    modulePreload: { polyfill: false },
  },
  server: {
    // `npm run dev` beside a running `nebel`.
    proxy: { '/api': { target: 'http://127.0.0.1:8080', ws: true } },
  },
  test: { include: ['src/**/*.test.ts'] },
} as Parameters<typeof defineConfig>[0]);
