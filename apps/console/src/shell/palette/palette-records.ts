import type { RecordOf } from '@emma/client/emma-client.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { client } from '@emma/contract/resources/client.ts'
import { domain } from '@emma/contract/resources/domain.ts'
import { list } from '@emma/contract/resources/list.ts'
import { member } from '@emma/contract/resources/member.ts'
import { message } from '@emma/contract/resources/message.ts'
import { user } from '@emma/contract/resources/user.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { api } from '../session/api.ts'
import { useDatasources } from '../resource/use-datasources.ts'
import { holds, useSession } from '../session/use-session.ts'

/** A record that matches the search. */
export interface FoundRecord {
  id: string
  label: string
  /** Translation key of the record's type. */
  kind: string
  /** Path of the record's screen; null for a client, which is switched to instead. */
  path: string | null
  clientId?: number
}

interface Source {
  name: string
  search: (needle: string, signal: AbortSignal) => Promise<FoundRecord[]>
}

/** Maximum results per type. */
const mostOfAKind = 4
/** Number of datasources searched in parallel. */
const datasourcesAtOnce = 4
const shortestNeedle = 2

/**
 * Searches records by name, and members and users by email address, in the types that the user may read. Debounced by
 * 200 ms; outdated requests are aborted.
 */
export function useRecordSearch(query: string): { found: readonly FoundRecord[]; isSearching: boolean } {
  const [needle] = useDebouncedValue(query.trim(), 200)
  const sources = useSources()
  return useQueries({
    queries: sources.map(({ name, search }) => ({
      queryKey: [name, 'list', 'palette', needle],
      queryFn: ({ signal }: { signal: AbortSignal }) => search(needle, signal),
      enabled: needle.length >= shortestNeedle,
    })),
    combine: answers => ({
      found: answers.flatMap(answer => answer.data ?? []),
      isSearching: needle !== query.trim() || answers.some(answer => answer.isFetching),
    }),
  })
}

function useSources(): Source[] {
  const session = useSession()
  const { data: datasources = [] } = useDatasources()
  const sources = [
    source(campaign, 'screens.campaign', row => ({
      key: row.campagne_id,
      label: row.name,
      path: pathOfCampaign(row),
    })),
    source(message, 'screens.template', row => ({
      key: row.message_id,
      label: row.name,
      path: '/templates/edit/',
    })),
    source(list, 'screens.segment', row => ({
      key: row.list_id,
      label: row.name,
      path: '/subscribers/segments/edit/',
    })),
    membersOf(datasources.map(({ member_table_id }) => member_table_id)),
    source(user, 'screens.user', row => ({
      key: row.id,
      label: `${row.firstname} ${row.lastname} (${row.email})`,
      path: '/users/edit/',
    })),
    source(domain, 'screens.domain', row => ({
      key: row.domain_id,
      label: row.name,
      path: '/settings/domains/edit/',
    })),
    clients,
  ]
  return sources.filter(({ entity }) => entity === null || holds(session, { all: [`${entity}:get`] }))
}

function pathOfCampaign(row: RecordOf<typeof campaign>): string {
  if (row.started_at === null) return '/campaigns/edit/'
  return row.finished_at === null ? '/campaigns/start/' : '/campaigns/reports/'
}

interface Shown {
  key: number
  label: string
  path: string
}

function source<R extends Resource>(resource: R, kind: string, show: (row: RecordOf<R>) => Shown) {
  return {
    name: resource.name,
    entity: resource.entity,
    async search(search: string, signal: AbortSignal): Promise<FoundRecord[]> {
      const { data } = await api.list(resource, { search, limit: mostOfAKind }, { signal })
      return data.map(show).map(({ key, label, path }) => ({
        id: `${resource.name} ${key}`,
        label,
        kind,
        path: `${path}${key}`,
      }))
    },
  }
}

/** Searches members in all datasources of the client, a few datasources at a time, until enough are found. */
function membersOf(tables: readonly number[]) {
  return {
    name: `${member.name} ${tables.join(' ')}`,
    entity: member.entity,
    async search(search: string, signal: AbortSignal): Promise<FoundRecord[]> {
      const found: FoundRecord[] = []
      for (let at = 0; at < tables.length && found.length < mostOfAKind; at += datasourcesAtOnce) {
        const some = tables.slice(at, at + datasourcesAtOnce)
        const pages = await Promise.all(some.map(table => findMembers(table, search, signal)))
        found.push(...pages.flat())
      }
      return found.slice(0, mostOfAKind)
    },
  }
}

async function findMembers(table: number, search: string, signal: AbortSignal): Promise<FoundRecord[]> {
  const { data } = await api.list(
    member,
    { search, limit: mostOfAKind },
    { signal, params: { member_table_id: table } },
  )
  return data.map(({ member_id, email }) => ({
    id: `member ${table} ${member_id}`,
    label: email,
    kind: 'screens.subscriber',
    path: `/subscribers/edit/${member_id}?table=${table}`,
  }))
}

/** Needs no permission: the server lists the clients that the user may switch to. */
const clients = {
  name: client.name,
  entity: null,
  async search(search: string, signal: AbortSignal): Promise<FoundRecord[]> {
    const { data } = await api.list(client, { search, limit: mostOfAKind }, { signal })
    return data.map(({ client_id, name }) => ({
      id: `client ${client_id}`,
      label: name,
      kind: 'shell.client_switch',
      path: null,
      clientId: client_id,
    }))
  },
}
