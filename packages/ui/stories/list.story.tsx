import { ApiError } from '@emma/client/api-error.ts'
import { Button } from '@mantine/core'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { notify } from '../src/feedback/notify.tsx'
import { ListScreen } from '../src/list/list-screen.tsx'
import type { LoadRows } from '../src/list/list-csv.ts'
import type { Column, RowAction } from '../src/list/list-parts.ts'
import { type ListState, initialListState } from '../src/list/list-state.ts'
import { useLocalListState } from '../src/list/use-list-state.ts'
import { useFormat } from '../src/i18n.tsx'
import type { Story } from './story.ts'

interface MailClass {
  mailclass_id: number
  name: string
  type: string
  active: boolean
  volume: number
  updated_at: string
}

const types = ['bulk', 'transactional', 'warmup', 'test']
const now = Date.parse('2026-11-20T10:00:00Z')

function makeRows(count: number): MailClass[] {
  return Array.from({ length: count }, (_, index) => ({
    mailclass_id: index + 1,
    name:
      ['Newsletter', 'Autumn sale', 'Order confirmations', 'Reactivation', 'VIP'][index % 5] +
      ` ${index + 1}`,
    type: types[index % types.length] ?? 'bulk',
    active: index % 3 !== 0,
    volume: (index * 7919) % 240_000,
    updated_at: new Date(now - index * 7_200_000).toISOString(),
  }))
}

function loadFrom(rows: MailClass[]): LoadRows<MailClass> {
  return async ({ limit, offset = 0, search = '', sort, filters }) => {
    await new Promise(resolve => setTimeout(resolve, 150))
    const wanted = filters?.type
    const found = rows
      .filter(row => row.name.toLowerCase().includes(search.toLowerCase()))
      .filter(row => !Array.isArray(wanted) || wanted.includes(row.type))
    if (sort) {
      const sign = sort.descending ? -1 : 1
      const key = sort.field === 'volume' ? 'volume' : 'name'
      found.sort((a, b) => (a[key] < b[key] ? -sign : sign))
    }
    return { data: found.slice(offset, offset + (limit ?? 50)), pagination: { total: found.length } }
  }
}

function useColumns(): Column<MailClass>[] {
  const format = useFormat()
  return [
    { id: 'name', header: 'Name', sort: 'name', cell: row => row.name },
    { id: 'type', header: 'Type', width: 140, cell: row => row.type },
    { id: 'active', header: 'Active', width: 90, cell: row => (row.active ? 'Yes' : 'No'), wideOnly: true },
    {
      id: 'volume',
      header: 'Sent in 30 days',
      sort: 'volume',
      width: 150,
      align: 'end',
      cell: row => format.number(row.volume),
    },
    { id: 'updated_at', header: 'Changed', width: 180, cell: row => format.dateTime(row.updated_at) },
    { id: 'mailclass_id', header: 'Number', width: 90, hidden: true, cell: row => row.mailclass_id },
  ]
}

function actionsOf(row: MailClass): RowAction[] {
  return [
    { id: 'copy', label: 'Copy', icon: <IconCopy size={16} />, run: () => void notify.success('Copied') },
    {
      id: 'delete',
      label: 'Delete',
      danger: true,
      icon: <IconTrash size={16} />,
      confirm: { title: `Delete “${row.name}”?`, text: 'This cannot be undone.', danger: true },
      run: () => Promise.reject(new Error('Still used by 3 campaigns')),
    },
  ]
}

function Example(props: {
  name: string
  load: LoadRows<MailClass>
  defaults?: Partial<ListState>
}): ReactNode {
  const [state, setState] = useLocalListState(props.defaults)
  const columns = useColumns()
  return (
    <ListScreen
      name={`story-${props.name}`}
      label="Mail classes"
      columns={columns}
      rowKey={row => row.mailclass_id}
      rowLabel={row => row.name}
      queryKey={['mailclass', 'list', props.name]}
      load={props.load}
      state={state}
      onStateChange={setState}
      filters={[
        {
          name: 'type',
          label: 'Type',
          kind: 'choice',
          pinned: true,
          options: types.map(type => ({ value: type, label: type })),
        },
        { name: 'active', label: 'Active', kind: 'flag' },
        { name: 'createdAfter', label: 'Created after', kind: 'date' },
      ]}
      onOpen={row => notify.info(`Opens ${row.name}`)}
      href={row => `#/mailclass/${row.mailclass_id}`}
      rowActions={actionsOf}
      bulkActions={[
        {
          id: 'delete',
          label: 'Delete',
          danger: true,
          icon: <IconTrash size={16} />,
          run: async row => {
            await new Promise(resolve => setTimeout(resolve, 400))
            if (row.mailclass_id % 5 === 0) throw new Error('Still used by 3 campaigns')
          },
        },
      ]}
      empty={{
        title: 'No mail classes yet',
        text: 'A mail class groups the addresses and speed a kind of mail is sent with.',
        action: <Button>New mail class</Button>,
      }}
    />
  )
}

const many = loadFrom(makeRows(10_000))
const none = loadFrom([])
const never: LoadRows<MailClass> = () => new Promise(() => {})
/** The server restarts: the first three calls are not answered. */
function unreachableAtFirst(): LoadRows<MailClass> {
  let calls = 0
  const load = loadFrom(makeRows(3))
  return (query, context) =>
    ++calls > 3
      ? load(query, context)
      : Promise.reject(new ApiError('fetch failed', { status: 0, code: 'network', url: '/mailclass/' }))
}

function Unreachable(): ReactNode {
  const [load] = useState(unreachableAtFirst)
  return <Example name="unreachable" load={load} />
}

const failing: LoadRows<MailClass> = () => Promise.reject(new Error('SQLSTATE[08006]: Connection failure'))
const refused: LoadRows<MailClass> = () =>
  Promise.reject(Object.assign(new Error('Forbidden'), { status: 403 }))

export const stories: readonly Story[] = [
  { title: 'A list', render: () => <Example name="many" load={many} /> },
  {
    title: 'Narrowed',
    render: () => (
      <Example name="narrow" load={many} defaults={{ filters: { type: ['bulk', 'test'] }, pageSize: 10 }} />
    ),
  },
  {
    title: '500 rows a page',
    render: () => <Example name="virtual" load={many} defaults={{ ...initialListState, pageSize: 500 }} />,
  },
  {
    title: '10,000 rows at once',
    render: () => <Example name="all" load={many} defaults={{ ...initialListState, pageSize: 10_000 }} />,
  },
  { title: 'Empty', render: () => <Example name="none" load={none} /> },
  {
    title: 'Nothing matches',
    render: () => <Example name="nomatch" load={none} defaults={{ search: 'zzz' }} />,
  },
  { title: 'Loading', render: () => <Example name="never" load={never} /> },
  { title: 'Error', render: () => <Example name="failing" load={failing} /> },
  {
    title: 'Unreachable at first',
    render: () => <Unreachable />,
  },
  { title: 'Forbidden', render: () => <Example name="refused" load={refused} /> },
]
