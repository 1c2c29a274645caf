import { queryKeys } from '@emma/client/query-keys.ts'
import type { Action } from '@emma/contract/define-action.ts'
import type { LoadRows } from '@emma/ui/list/list-csv.ts'
import { ListScreen, type ListScreenProps } from '@emma/ui/list/list-screen.tsx'
import { useLocalListState } from '@emma/ui/list/use-list-state.ts'
import type { ReactNode } from 'react'

/** Polling intervals in ms, while something happens to a row shown and otherwise. */
const BUSY_MS = 3_000
const IDLE_MS = 15_000

/** Parameters of a page of a log. */
interface LogQuery<State> {
  limit?: number | undefined
  offset?: number | undefined
  search?: string
  state?: State
}

interface LogListProps<Row, State extends string>
  extends Pick<
    ListScreenProps<Row>,
    'name' | 'label' | 'columns' | 'rowKey' | 'rowLabel' | 'onOpen' | 'rowActions' | 'empty' | 'isSearchable'
  > {
  /** Action that lists the log, and key of the record whose log it is. */
  action: Pick<Action, 'name'>
  id: number
  /** States that the log is filtered by. */
  states: readonly State[]
  stateLabel: string
  stateText: (state: State) => string
  load: (query: LogQuery<State>, options: Parameters<LoadRows<Row>>[1]) => ReturnType<LoadRows<Row>>
  /** Rows that change soon. */
  isBusy?: (row: Row) => boolean
}

/** Log of a record: a list filtered by state that is always up to date. */
export function LogList<Row, State extends string>(props: LogListProps<Row, State>): ReactNode {
  const { action, id, states, stateLabel, stateText, load, isBusy, ...list } = props
  const [state, setState] = useLocalListState()
  return (
    <ListScreen<Row>
      {...list}
      filters={[
        {
          name: 'state',
          label: stateLabel,
          kind: 'choice',
          single: true,
          pinned: true,
          options: states.map(value => ({ value, label: stateText(value) })),
        },
      ]}
      queryKey={queryKeys.action(action, id)}
      load={({ limit, offset, search, filters = {} }, options) => {
        const wanted = states.find(each => each === [filters.state].flat()[0])
        const query = {
          limit: limit ?? undefined,
          offset,
          ...(search ? { search } : {}),
          ...(wanted ? { state: wanted } : {}),
        }
        return load(query, { ...options, ignoreCache: true })
      }}
      state={state}
      onStateChange={setState}
      poll={rows => (isBusy && rows.some(isBusy) ? BUSY_MS : IDLE_MS)}
      exportName={false}
    />
  )
}
