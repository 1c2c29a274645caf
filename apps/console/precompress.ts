import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const smallestBytes = 1024

/**
 * Emits a `.br` and a `.gz` file for every file of the build, at the highest level: a server compressing each response
 * would use fast levels (fast brotli is no smaller than gzip).
 */
export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true })
      await Promise.all(files.filter(isText).map(file => compress(join(folder, file))))
    },
  }
}

function isText(file: string): boolean {
  return /\.(js|css|html|svg|json)$/.test(file)
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file)
  if (content.length < smallestBytes) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  const [br, gz] = await Promise.all([brotli(content, { params }), zip(content, { level: 9 })])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
