import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { FileStorage } from '@emma/core/files/store-file.ts'

/** Contents in a folder of this machine, readable by its user only. */
export function diskStorage(folder: string): FileStorage {
  const pathOf = (key: string) => {
    if (!/^\d+\/[\w-]+(\.thumb)?$/.test(key)) throw new Error(`${key} is no key of a file`)
    return join(folder, key)
  }
  return {
    async put(key, path) {
      const target = pathOf(key)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      // Under another name first: a crash leaves no half file behind its own name.
      const copy = `${target}.${randomUUID()}.tmp`
      await copyFile(path, copy)
      await rename(copy, target)
    },
    async get(key, range) {
      const file = await open(pathOf(key)).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      })
      return file && createReadStream('', { fd: file, ...range })
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
  }
}
