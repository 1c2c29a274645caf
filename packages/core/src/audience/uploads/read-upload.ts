import { EmmaError } from '@emma/contract/errors.ts'
import { dataupload } from '@emma/contract/resources/dataupload.ts'
import type { Db } from '@emma/db/connection.ts'
import type { TenantScope } from '../../resource/actor.ts'
import { readBlacklist } from '../blacklists/blacklist-entries.ts'
import { readDatasource } from '../datasources/datasource.ts'
import { blacklistTarget } from './blacklist-target.ts'
import type { ImportTarget } from './import-target.ts'
import { memberTarget } from './member-target.ts'
import { newColumns } from './new-columns.ts'
import { uploadError } from './upload-error.ts'
import type { Upload } from './upload.ts'

/** Reads an upload. Throws EmmaError `not_found`, also for another tenant's. */
export async function readUpload(db: Db, scope: TenantScope, id: number): Promise<Upload> {
  let query = db
    .selectFrom('data_upload')
    .select(['client_id', 'id', 'member_table_id', 'blacklist_id', 'filename', 'size', 'status', 'mode'])
    .select([
      'delimiter',
      'charset',
      'mapping',
      'file',
      'error_file',
      'created_by',
      'test',
      'empty_bad_cells',
    ])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
  if (scope.clientIds !== 'all') query = query.where('client_id', 'in', [...scope.clientIds, -1])
  const found = await query.executeTakeFirst()
  if (!found) throw new EmmaError('not_found')
  const { mode, delimiter, charset, mapping } = dataupload.fields
  return {
    ...found,
    mode: mode.parse(found.mode),
    delimiter: delimiter.parse(found.delimiter),
    charset: charset.parse(found.charset),
    mapping: mapping.parse(found.mapping),
    file: found.file ?? '',
  }
}

/** Target of an upload. Throws EmmaError `not_found` for a foreign or deleted target, UploadError for an invalid mode. */
export async function targetOf(
  db: Db,
  upload: Pick<Upload, 'client_id' | 'member_table_id' | 'blacklist_id' | 'mode' | 'filename' | 'mapping'>,
): Promise<ImportTarget> {
  const scope = { clientIds: [upload.client_id] }
  if (upload.member_table_id !== null) {
    const source = await readDatasource(db, scope, upload.member_table_id)
    const columns = [...source.columns, ...newColumns(upload)]
    return memberTarget({ ...source, columns }, upload.mode, upload.filename)
  }
  if (upload.blacklist_id !== null)
    return blacklistTarget(await readBlacklist(db, scope, upload.blacklist_id), upload.mode)
  throw uploadError('upload.no_target')
}
