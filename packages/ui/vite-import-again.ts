import type { Plugin } from 'vite'

/** Retries each failed dynamic import once with another URL; src/import-again.ts says why. */
export function importAgain(): Plugin {
  return {
    name: 'import-again',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue
          chunk.code = chunk.code.replaceAll(
            /\bimport\((["'`])(\.[^"'`\n]+)\1\)/g,
            (found, _quote, path) =>
              `${found}.catch(e=>globalThis.importAgain?importAgain(new URL("${path}",import.meta.url).href,e):Promise.reject(e))`,
          )
        }
      },
    },
  }
}
