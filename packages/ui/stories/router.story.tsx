import { Text } from '@mantine/core'
import {
  Outlet,
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  useRouterState,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TextField } from '../src/form/fields/text-field.tsx'
import { FormSection, RecordForm } from '../src/form/record-form.tsx'
import { useRecordForm } from '../src/form/use-record-form.ts'
import { UrlTabs } from '../src/layout/url-tabs.tsx'
import { ListScreen } from '../src/list/list-screen.tsx'
import type { Column } from '../src/list/list-parts.ts'
import { useListState } from '../src/list/use-list-state.ts'
import type { Story } from './story.ts'

const rows = Array.from({ length: 60 }, (_, index) => ({
  id: index + 1,
  name: `Row ${index + 1}`,
  kind: index % 3,
}))
const columns: Column<(typeof rows)[number]>[] = [
  { id: 'name', header: 'Name', sort: 'name', cell: row => row.name },
  { id: 'kind', header: 'Kind', width: 100, cell: row => row.kind },
]
const filterNames = ['kind']

function List(): ReactNode {
  const [state, setState] = useListState({ filters: filterNames })
  return (
    <ListScreen
      name="story-router"
      label="Rows"
      columns={columns}
      rowKey={row => row.id}
      rowLabel={row => row.name}
      queryKey={['story-router']}
      load={async ({ limit, offset = 0, search = '', filters }) => {
        const wanted = filters?.kind
        const found = rows.filter(
          row => row.name.includes(search) && (!Array.isArray(wanted) || wanted.includes(String(row.kind))),
        )
        return { data: found.slice(offset, offset + (limit ?? 25)), pagination: { total: found.length } }
      }}
      state={state}
      onStateChange={setState}
      filters={[
        {
          name: 'kind',
          label: 'Kind',
          kind: 'choice',
          pinned: true,
          options: ['0', '1', '2'].map(value => ({ value, label: `Kind ${value}` })),
        },
      ]}
      href={row => `/form?id=${row.id}`}
      fill={false}
      empty={{ title: 'None' }}
    />
  )
}

function Form(): ReactNode {
  const form = useRecordForm({
    resource: { name: 'story-router-form', required: { create: ['name'] } },
    recordKey: 1,
    record: stored,
    toValues: record => ({ name: record?.name ?? '' }),
    labels: { name: 'Name' },
    save: async values => ({ ...values, revision: 2 }),
  })
  return (
    <UrlTabs
      label="Parts"
      tabs={[
        {
          id: 'form',
          label: 'Form',
          content: () => (
            <RecordForm form={form}>
              <FormSection title="General">
                <TextField form={form} name="name" />
              </FormSection>
            </RecordForm>
          ),
        },
        { id: 'other', label: 'Other', content: () => <Text>Other</Text> },
      ]}
    />
  )
}

const stored = { name: 'Stored', revision: 1 }

function Shell(): ReactNode {
  const href = useRouterState({ select: state => state.location.href })
  return (
    <>
      <p>
        <Go to="/list">List</Go> · <Go to="/form">Form</Go> · <Go to="/slow">Slow</Go> ·{' '}
        <code data-href>{href}</code>
      </p>
      <Outlet />
    </>
  )
}

/** The router's `Link` is typed with the console's routes only. */
function Go({ to, children }: { to: string; children: ReactNode }): ReactNode {
  return (
    <a
      href={to}
      onClick={event => {
        event.preventDefault()
        router.history.push(to)
      }}
    >
      {children}
    </a>
  )
}

const root = createRootRoute({ component: Shell })
const router = createRouter({
  routeTree: root.addChildren([
    createRoute({ getParentRoute: () => root, path: '/list', component: List }),
    createRoute({ getParentRoute: () => root, path: '/form', component: Form }),
    createRoute({
      getParentRoute: () => root,
      path: '/slow',
      loader: () => new Promise<null>(resolve => setTimeout(resolve, 1000, null)),
      component: () => <Text>Here at last</Text>,
    }),
  ]),
  history: createMemoryHistory({ initialEntries: ['/list'] }),
})

export const stories: readonly Story[] = [
  {
    title: 'In a router',
    render: () => <RouterProvider router={router} />,
  },
]
