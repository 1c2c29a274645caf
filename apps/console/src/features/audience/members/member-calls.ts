import type { RecordOf } from '@emma/client/emma-client.ts'
import { createMember, deleteMember, patchMember } from '@emma/contract/actions/audience.ts'
import { member } from '@emma/contract/resources/member.ts'
import { api } from '../../../shell/session/api.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'

type Member = RecordOf<typeof member>

/** Fetches a member, bypassing every cache. @throws ApiError 404 if it no longer exists */
export function findMember(table: number, id: number, signal?: AbortSignal): Promise<Member> {
  return api.find(member, id, {}, { params: { member_table_id: table }, ignoreCache: true, signal })
}

/**
 * Creates a member, or patches the fields that differ from the loaded revision. Values are strings, as in forms and
 * files.
 */
export async function saveMember(
  table: number,
  id: number | null,
  values: Readonly<Record<string, string | null>>,
  revision: number | undefined,
): Promise<Member> {
  const saved =
    id === null
      ? await api.call(createMember, { params: { member_table_id: table }, body: filled(values) })
      : await api.call(patchMember, {
          params: { member_table_id: table, member_id: id },
          body: values,
          ...(revision === undefined ? {} : { revision }),
        })
  await refresh(member)
  return findMember(table, saved.member_id)
}

/** Deletes a member; its events stay in the log. */
export async function removeMember(table: number, row: Pick<Member, 'member_id'>): Promise<void> {
  await api.call(deleteMember, { params: { member_table_id: table, member_id: row.member_id } })
  await refresh(member)
}

function filled(values: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null || value === '' ? [] : [[name, value]],
    ),
  )
}
