import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { importAgain } from '../../packages/ui/vite-import-again.ts'
import { emitTexts } from './emit-texts.ts'
import { precompress } from './precompress.ts'
import { preloadLogin } from './preload-login.ts'

/** Base URL of the API in development: `npm start` runs beside `vite`. */
const server = process.env['EMMA_API'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), emitTexts(), importAgain(), preloadLogin(), precompress()],
  server: {
    port: 5173,
    proxy: { '/api': { target: server, ws: true } },
  },
  build: {
    target: 'es2024',
    manifest: true,
    // Small assets would be inlined as data: URLs, which the content security policy blocks.
    assetsInlineLimit: 0,
    // Charts and the code editor are one large chunk each, loaded on demand; check-size.ts limits the size of screens.
    chunkSizeWarningLimit: 600,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Modules that are always loaded together are one chunk, to save requests. A group includes the dependencies
          // of its modules, except those in a group of higher priority.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 9 },
            { name: 'first', tags: ['$initial'], priority: 8 },
            {
              name: 'login',
              test: /src\/(login-entry|shell\/i18n\/live-texts|texts\/merge-texts)\.tsx?$/,
              priority: 7,
            },
            {
              name: 'app-layout',
              test: /src\/(console|shell\/(layout\/app-layout|session\/start-up))\.tsx?$/,
              priority: 6,
            },
            { name: 'dashboard', test: /features\/dashboard\/dashboard\.tsx$/, priority: 5 },
            { name: 'kit', test: /packages|node_modules|src\/shell/, minShareCount: 8, priority: 4 },
            {
              name: 'app-layout-later',
              test: /(command-palette|keyboard-map|notification-area|running-jobs|guidance-area|help-button|news-button)\.tsx?$/,
              priority: 3,
            },
            { name: 'widgets', test: /features\/dashboard\/widgets\/widget-bodies\.tsx$/, priority: 2 },
            {
              name: (id: string) => `texts.${id.slice(-7, -5)}`,
              test: /features\/(guidance|translations)\/texts\/(en|de|es)\.json$/,
              priority: 2,
            },
          ],
        },
      },
    },
  },
})
