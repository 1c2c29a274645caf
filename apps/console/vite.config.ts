import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The API in development: `npm start` beside `vite`. */
const server = process.env['EMMA_API'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: {
    port: 5173,
    proxy: { '/api': { target: server, ws: true } },
  },
  build: {
    target: 'es2024',
    manifest: true,
    // Small parts of the kit would be inlined as data: addresses, which the page's policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What changes with releases of others, apart from what changes with ours.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
            {
              name: 'router',
              test: /node_modules\/@tanstack\/(react-router|router-core|history|store|react-store)\//,
              priority: 2,
            },
          ],
        },
      },
    },
  },
})
