import type { RecordOf } from '@emma/client/emma-client.ts'
import type { membertable } from '@emma/contract/resources/membertable.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'

export type Datasource = RecordOf<typeof membertable>

interface MemberTable {
  datasources: readonly Datasource[]
  /** The datasource in the URL (`?table=7`), else the first. Null while loading, or if there is none. */
  chosen: Datasource | null
  choose: (memberTableId: number) => void
  isPending: boolean
  error: unknown
}

/** The selected datasource of member screens. */
export function useMemberTable(): MemberTable {
  const { table }: { table?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data = [], isPending, error } = useDatasources()
  return {
    datasources: data,
    chosen: data.find(datasource => datasource.member_table_id === Number(table)) ?? data[0] ?? null,
    choose: id => void navigate({ to: '.', search: { table: id } }),
    isPending,
    error,
  }
}
