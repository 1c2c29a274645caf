import { dirname, join, relative, sep } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const root = import.meta.dirname
const sources = join(root, 'src')

/** The server as a hundred files of JavaScript instead of 2,700: it starts in half the processor time (docs/adr/0021). */
export default defineConfig({
  root,
  plugins: [keepPlaces()],
  ssr: {
    // Packages of many files that need no other file at run time. All others stay in node_modules.
    noExternal: [
      'feedsmith',
      'html-to-text',
      'imapflow',
      'jose',
      'kysely',
      'liquidjs',
      'markdown-it',
      'nodemailer',
      'rrule-temporal',
      'undici',
      'zod',
    ],
  },
  build: {
    ssr: true,
    target: 'node24',
    // For NODE_OPTIONS=--enable-source-maps.
    sourcemap: true,
    rolldownOptions: {
      input: { emma: join(sources, 'cli/emma.ts') },
      // The same names in each build: a running program loads some of them later.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
})

/** Files are found where the source looks for them; threads and programs that it starts are built as well. */
function keepPlaces(): Plugin {
  return {
    name: 'keep-places',
    enforce: 'pre',
    transform(code, id) {
      if (!code.includes('import.meta')) return null
      const folder = dirname(id)
      const built = code.replaceAll(
        /new URL\('([\w./-]+)\.ts', import\.meta\.url\)|import\.meta\.(url|dirname)/g,
        (_, program: string | undefined, place: string | undefined) => {
          if (program === undefined)
            return place === 'url'
              ? `new URL('${pathFromBuild(id)}', import.meta.url).href`
              : `(import.meta.dirname + '/${pathFromBuild(folder)}')`
          const path = join(folder, program)
          const name = relative(sources, path).replaceAll(sep, '-')
          this.emitFile({ type: 'chunk', id: `${path}.ts`, fileName: `${name}.js` })
          return `new URL('${name}.js', import.meta.url)`
        },
      )
      // No line moves.
      return { code: built, map: null }
    },
  }
}

function pathFromBuild(path: string): string {
  return relative(join(root, 'dist'), path).replaceAll(sep, '/')
}
