import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { emitTexts } from './emit-texts.ts'
import { precompress } from './precompress.ts'
import { preloadLogin } from './preload-login.ts'

/** The API in development: `npm start` beside `vite`. */
const server = process.env['EMMA_API'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), emitTexts(), preloadLogin(), precompress()],
  server: {
    port: 5173,
    proxy: { '/api': { target: server, ws: true } },
  },
  build: {
    target: 'es2024',
    manifest: true,
    // Small parts of the kit would be inlined as data: addresses, which the page's policy refuses.
    assetsInlineLimit: 0,
    // Charts and the code editor are one file each, fetched by the parts that show them; check-size.ts weighs screens.
    chunkSizeWarningLimit: 600,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What the first screen needs of others' code in two files rather than forty: each file costs its headers.
          // Ours stays in the entry, which later chunks import.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
            { name: 'first', tags: ['$initial'], test: /node_modules|packages/, priority: 1 },
          ],
        },
      },
    },
  },
})
