import type { Row } from '@emma/contract/resource-schemas.ts'
import type { dataupload, uploadModes } from '@emma/contract/resources/dataupload.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Permission } from '@emma/contract/permissions.ts'
import { type Actor, can } from '../../resource/actor.ts'
import { mayReadMembers } from '../../resource/member-rights.ts'
import type { Operations } from '../../resource/operations.ts'
import { fault } from '@emma/contract/faults.ts'

type UploadMode = (typeof uploadModes)[number]

interface UploadTarget {
  blacklist_id?: number | null | undefined
  mode: UploadMode
  mapping?: Row<typeof dataupload>['mapping'] | null | undefined
}

const ofMembers: Record<UploadMode, readonly Permission[]> = {
  insert: ['EmmaMember:post'],
  update: ['EmmaMember:patch'],
  upsert: ['EmmaMember:post', 'EmmaMember:patch'],
  unsubscribe: ['EmmaMember:patch'],
  delete: ['EmmaMember:delete'],
}

const ofBlacklists: Record<UploadMode, readonly Permission[]> = {
  insert: ['EmmaBlacklist:post'],
  update: ['EmmaBlacklist:post'],
  upsert: ['EmmaBlacklist:post'],
  unsubscribe: ['EmmaBlacklist:post'],
  delete: ['EmmaBlacklist:delete'],
}

/**
 * Checks the permissions for an import: those of uploads, and those for the single changes that its mode makes.
 *
 * @throws EmmaError `forbidden` with the missing permissions
 */
export function assertMayImport(actor: Actor, { blacklist_id, mode, mapping }: UploadTarget): void {
  const ofMode = typeof blacklist_id === 'number' ? ofBlacklists[mode] : ofMembers[mode]
  const needed: readonly Permission[] = addsColumns(mapping) ? [...ofMode, 'EmmaMemberTable:patch'] : ofMode
  const missing = needed.filter(permission => !can(actor, permission))
  if (missing.length > 0)
    throw new EmmaError('forbidden', fault('refusal.upload_permissions', { permissions: missing.join(', ') }))
}

/** Operations of uploads for users: checks the mode's permissions, and hides the sample, which is member data. */
export function guardUploads(operations: Operations<typeof dataupload>): Operations<typeof dataupload> {
  return {
    ...operations,
    async list(db, actor, scope, query) {
      const page = await operations.list(db, actor, scope, query)
      return { ...page, data: page.data.map(record => presentUpload(actor, record)) }
    },
    async find(db, actor, scope, id) {
      return presentUpload(actor, await operations.find(db, actor, scope, id))
    },
    async patch(db, actor, scope, id, input, options) {
      if (
        input.mode !== undefined ||
        addsColumns(input.mapping) ||
        input.blacklist_id !== undefined ||
        options.whole
      ) {
        const before = await operations.find(db, actor, scope, id)
        const { blacklist_id = before.blacklist_id, mode = before.mode, mapping = before.mapping } = input
        assertMayImport(actor, { blacklist_id, mode, mapping })
      }
      return presentUpload(actor, await operations.patch(db, actor, scope, id, input, options))
    },
  }
}

export function presentUpload<Upload extends { sample: string[][] }>(actor: Actor, record: Upload): Upload {
  return mayReadMembers(actor) ? record : { ...record, sample: [] }
}

function addsColumns(mapping: UploadTarget['mapping']): boolean {
  return mapping?.some(entry => entry.new_column) ?? false
}
