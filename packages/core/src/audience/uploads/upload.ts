import type { Charset } from './charset.ts'
import type { Delimiter } from './choose-delimiter.ts'
import type { Mapping } from './guess-mapping.ts'
import type { UploadMode } from './import-target.ts'

/** An upload with the fields that the import needs. `file`: its name in the folder of uploads. */
export interface Upload {
  client_id: number
  id: number
  member_table_id: number | null
  blacklist_id: number | null
  filename: string
  size: number
  status: number
  mode: UploadMode
  delimiter: Delimiter | null
  charset: Charset | null
  mapping: Mapping[]
  empty_bad_cells: boolean
  /** Whether this is a test, which only produces figures and an error file. */
  test: boolean
  file: string
  error_file: string | null
  created_by: number | null
}
