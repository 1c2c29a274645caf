import { espReplacer } from '@emma/contract/resources/esp-replacer.ts'
import { Code } from '@mantine/core'
import type { ReactNode } from 'react'
import { ServiceList } from '../service-list.tsx'

/** List of one service's equivalents of EMMA's placeholders. */
export default function ReplacerList(): ReactNode {
  return (
    <ServiceList
      kind="replacers"
      resource={espReplacer}
      columns={() => [
        { id: 'search', cell: row => <Code>{row.search}</Code> },
        { id: 'replace', cell: row => row.replace && <Code>{row.replace}</Code> },
        { id: 'order', width: 120 },
      ]}
      sort={{ field: 'order', descending: false }}
    />
  )
}
