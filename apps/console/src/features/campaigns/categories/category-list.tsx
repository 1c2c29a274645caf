import { category } from '@emma/contract/resources/category.ts'
import type { ReactNode } from 'react'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { ValueBadges } from './value-badges.tsx'

/** List of the categories of campaigns (R032). */
export default function CategoryList(): ReactNode {
  return (
    <ResourceList
      resource={category}
      columns={[
        'name',
        {
          id: 'values',
          cell: row => <ValueBadges values={row.values.filter(value => value.active)} />,
          text: row => row.values.map(value => value.label).join(', '),
        },
        { id: 'is_multi', width: 150 },
        { id: 'is_required', width: 120 },
        'updated_at',
      ]}
    />
  )
}
