import { Button, Modal, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { MultiSelect, Select } from '../src/select/select.tsx'
import type { SelectOption, SelectQuery, SelectSource } from '../src/select/select-source.ts'
import type { Story } from './story.ts'

const picture = (color: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 400"><rect width="320" height="400" fill="#fff"/><rect width="320" height="90" fill="${color}"/><rect x="24" y="120" width="272" height="12" fill="#ccc"/><rect x="24" y="145" width="200" height="12" fill="#ddd"/></svg>`)}`

const templates: SelectOption<number>[] = ['Autumn sale', 'Welcome', 'Reactivation', 'Birthday'].map(
  (label, index) => ({
    value: index + 1,
    label,
    description: `Changed ${index + 1} days ago`,
    screenshot: {
      url_small: picture(['#e8590c', '#1971c2', '#2f9e44', '#6741d9'][index] ?? ''),
      url_large: picture(['#e8590c', '#1971c2', '#2f9e44', '#6741d9'][index] ?? ''),
    },
  }),
)

const names: SelectOption<string>[] = [
  'Müller (3)',
  'Núñez',
  'Øst',
  'Beyond',
  'Zoë',
  'Maria',
  'Ana',
  'Jörg',
].map(label => ({ value: label.toLowerCase(), label }))

const domains: SelectOption<number>[] = Array.from({ length: 60 }, (_, index) => ({
  value: index + 1,
  label: `mail${index + 1}.example.com`,
}))

const source: SelectSource<number> = {
  key: ['story-domains'],
  primaryKey: 'domain_id',
  async load({ skip, limit, searchterm, filters }) {
    await new Promise(resolve => setTimeout(resolve, 300))
    const wanted = filters?.find(filter => filter.field === 'domain_id')?.value
    const found = domains.filter(
      domain => domain.label.includes(searchterm) && (!wanted || wanted.includes(domain.value)),
    )
    return { data: found.slice(skip, skip + limit), total: found.length }
  },
}

function One(): ReactNode {
  const [value, setValue] = useState<number | null>(57)
  const [questions, setQuestions] = useState<readonly SelectQuery[]>([])
  const [watched] = useState<SelectSource<number>>(() => ({
    ...source,
    load: query => {
      setQuestions(before => [...before, query])
      return source.load(query)
    },
  }))
  return (
    <>
      <Select label="Domain" source={watched} value={value} onChange={setValue} />
      <details>
        <summary>Questions</summary>
        <pre data-questions>{JSON.stringify(questions)}</pre>
      </details>
    </>
  )
}

function Creatable(): ReactNode {
  const [value, setValue] = useState<string | null>(null)
  const [options, setOptions] = useState(names)
  return (
    <Select
      label="Name"
      options={options}
      value={value}
      onChange={setValue}
      create={text => {
        const option = { value: text.toLowerCase(), label: text }
        setOptions([...options, option])
        return option
      }}
    />
  )
}

function Several(): ReactNode {
  const [values, setValues] = useState<readonly string[]>(['zoë', 'maria', 'ana'])
  return (
    <MultiSelect
      label="Groups"
      options={names}
      value={values}
      onChange={setValues}
      fixed={['maria']}
      defaults={['ana']}
    />
  )
}

function Pictures(): ReactNode {
  const [value, setValue] = useState<number | null>(2)
  return <Select label="Template" options={templates} value={value} onChange={setValue} />
}

function InModal(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Open
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="A select in a modal">
        <One />
      </Modal>
    </>
  )
}

const narrow = (children: ReactNode) => <Stack maw={420}>{children}</Stack>

export const stories: readonly Story[] = [
  { title: 'Loaded page by page, 57 looked up', render: () => narrow(<One />) },
  { title: 'Creatable', render: () => narrow(<Creatable />) },
  { title: 'Several; Maria is fixed, Ana a default', render: () => narrow(<Several />) },
  { title: 'With pictures', render: () => narrow(<Pictures />) },
  {
    title: 'Faulty and disabled',
    render: () =>
      narrow(
        <>
          <Select label="Faulty" options={names} value={null} onChange={() => {}} hasError />
          <Select label="Disabled" options={names} value="zoë" onChange={() => {}} isDisabled />
        </>,
      ),
  },
  { title: 'In a modal', render: () => <InModal /> },
]
