import { placeholder } from '@emma/contract/resources/placeholder.ts'
import type { ReactNode } from 'react'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'

/** List of modules: texts shared by templates. */
export default function PlaceholderList(): ReactNode {
  return (
    <ResourceList
      resource={placeholder}
      columns={[
        'name',
        { id: 'token', cell: row => `{{ module.${row.token} }}` },
        { id: 'type', width: 160 },
      ]}
    />
  )
}
