import * as files from '@emma/contract/actions/files.ts'
import { fileBaseOf } from '@emma/core/files/file-host.ts'
import { restoreEntry } from '@emma/core/files/file-tree.ts'
import { describeFile, listFiles, listUsage } from '@emma/core/files/read-files.ts'
import { editImage, type FileParts } from '../../files/edit-image.ts'
import { incomingFolder, openFileStorage } from '../../files/open-file-storage.ts'
import { presentFile } from '../../files/present-file.ts'
import { createImageProcesses } from '../../files/run-image-process.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { createBeefree } from '../../provider/beefree.ts'
import { mountBeefree } from './beefree.ts'
import { mountFileStorage } from './file-storage.ts'
import { mountHtmlBody } from './html-body.ts'

/** Mounts the file storage, and search, bin, alternative texts and usage of files. */
export function mountFileActions(http: Http): void {
  const parts: FileParts = {
    storage: openFileStorage(http.config),
    images: createImageProcesses(http.logger),
    folder: incomingFolder(http.config),
  }
  mountFileStorage(http, parts)
  const beefree = createBeefree(http)
  mountHtmlBody(http, parts, beefree)
  mountBeefree(http, beefree)
  const { trackingUrl } = http.config

  mountAction(http, files.listFiles, async ({ db, params, query }) => {
    const { rows, total } = await listFiles(db, params.client_id, query)
    const base = await fileBaseOf(db, params.client_id, trackingUrl)
    return { data: rows.map(row => presentFile(row, base)), total }
  })

  mountAction(http, files.describeFile, async ({ db, actor, params, body }) => {
    const row = await describeFile(db, actor, params.client_id, params.id, body.alt)
    return presentFile(row, await fileBaseOf(db, params.client_id, trackingUrl))
  })

  mountAction(http, files.restoreFile, async ({ db, actor, params }) => {
    const row = await restoreEntry(db, actor, params.client_id, params.id)
    return presentFile(row, await fileBaseOf(db, params.client_id, trackingUrl))
  })

  mountAction(http, files.editImage, async ({ db, actor, params, body }) => {
    const { replace, ...edit } = body
    const image = { clientId: params.client_id, id: params.id, edit, replace }
    const row = await editImage(db, parts, actor, image)
    return presentFile(row, await fileBaseOf(db, params.client_id, trackingUrl))
  })

  mountAction(http, files.fileUsage, async ({ db, params }) => ({
    templates: await listUsage(db, params.client_id, params.id),
  }))
}
