import type { Plugin } from 'vite'

/** Modules that the login page imports dynamically, in order. */
const firstModules = ['src/login-entry.tsx', 'src/texts/initial.en.ts', 'src/shell/i18n/live-texts.ts']

/**
 * Adds preloads of the login and its texts to the page. Otherwise they load one after the other: the entry imports the
 * texts, the router the screen, the screen its parts.
 */
export function preloadLogin(): Plugin {
  return {
    name: 'preload-login',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = new Set<string>()
        const visit = (file: string): void => {
          const chunk = bundle[file]
          if (chunk?.type !== 'chunk' || files.has(file)) return
          files.add(file)
          for (const imported of chunk.imports) visit(imported)
        }
        for (const [file, chunk] of Object.entries(bundle)) {
          const modules = chunk.type === 'chunk' ? chunk.moduleIds : []
          if (modules.some(id => firstModules.some(name => id.endsWith(`/${name}`)))) visit(file)
        }
        return [...files]
          .filter(file => !html.includes(file))
          .map(file => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
            injectTo: 'head',
          }))
      },
    },
  }
}
