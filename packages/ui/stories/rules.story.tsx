import type { RuleGroup } from '@emma/contract/rules.ts'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { RuleBuilder } from '../src/rules/rule-builder.tsx'
import type { RuleField } from '../src/rules/rule-field.ts'
import type { Story } from './story.ts'

const campaigns = Array.from({ length: 40 }, (_, index) => ({
  value: index + 1,
  label: `Newsletter ${index + 1}`,
}))

const eventFields: RuleField[] = [
  { name: 'ts', label: 'Time', type: 'datetime' },
  {
    name: 'campagne_id',
    label: 'Campaign',
    type: 'int',
    source: {
      key: ['story-campaigns'],
      primaryKey: 'campagne_id',
      load: async ({ skip, limit, filters }) => {
        const wanted = filters?.[0]?.value
        const found = campaigns.filter(campaign => !wanted || wanted.includes(campaign.value))
        return { data: found.slice(skip, skip + limit), total: found.length }
      },
    },
  },
  { name: 'url', label: 'Link', type: 'string' },
]

const fields: RuleField[] = [
  { name: 'city', label: 'City', type: 'string' },
  { name: 'email', label: 'Email address', type: 'email' },
  { name: 'points', label: 'Points', type: 'int' },
  { name: 'revenue', label: 'Revenue', type: 'decimal' },
  { name: 'birthday', label: 'Birthday', type: 'date' },
  { name: 'vip', label: 'VIP', type: 'bool' },
  {
    name: 'plan',
    label: 'Plan',
    type: 'enum',
    options: [
      { value: 'free', label: 'Free' },
      { value: 'pro', label: 'Pro' },
      { value: 'team', label: 'Team' },
    ],
  },
  { name: 'opened', label: 'Opened a mail', type: 'events', eventFields },
  { name: 'clicked', label: 'Clicked a link', type: 'events', eventFields },
]

const example: RuleGroup = {
  combinator: 'and',
  rules: [
    { field: 'city', operator: 'in', value: ['Berlin', 'Köln', 'München'] },
    { field: 'birthday', operator: 'anniversary', value: 7 },
    {
      combinator: 'or',
      rules: [
        { field: 'points', operator: 'between', value: [100, 500] },
        {
          field: 'opened',
          operator: '=',
          match: { mode: 'atLeast', threshold: 2 },
          value: {
            combinator: 'and',
            rules: [
              { field: 'ts', operator: 'inLast', value: 30 },
              { field: 'campagne_id', operator: 'in', value: [7, 33] },
            ],
          },
        },
        {
          combinator: 'and',
          not: true,
          disabled: true,
          rules: [{ field: 'plan', operator: '=', value: 'free' }],
        },
      ],
    },
  ],
}

function Example(props: {
  query: RuleGroup
  isDisabled?: boolean
  isLoading?: boolean
  maxDepth?: number
  showsFaults?: boolean
}): ReactNode {
  const [query, setQuery] = useState(props.query)
  return (
    <>
      <RuleBuilder
        fields={fields}
        query={query}
        onChange={setQuery}
        isDisabled={props.isDisabled ?? false}
        showsFaults={props.showsFaults ?? false}
        {...(props.maxDepth === undefined ? {} : { maxDepth: props.maxDepth })}
        count={{ value: 48_120, total: 248_120, isLoading: props.isLoading ?? false }}
      />
      <details>
        <summary>JSON</summary>
        <pre data-json>{JSON.stringify(query)}</pre>
      </details>
    </>
  )
}

const faulty: RuleGroup = {
  combinator: 'or',
  rules: [
    { field: 'city', operator: '=', value: '' },
    { field: 'points', operator: 'between', value: [9, ''] },
    { field: 'shoe_size', operator: '=', value: '44' },
  ],
}

/** Renders the two hundred rules on demand. */
function Behind({ label, children }: { label: string; children: ReactNode }): ReactNode {
  const [isShown, setShown] = useState(false)
  if (isShown) return children
  return (
    <Button variant="default" onClick={() => setShown(true)}>
      {label}
    </Button>
  )
}

const many: RuleGroup = {
  combinator: 'and',
  rules: Array.from({ length: 10 }, () => ({
    combinator: 'or' as const,
    rules: Array.from({ length: 20 }, (_, index) => ({
      field: index % 2 === 0 ? 'city' : 'points',
      operator: '=' as const,
      value: index % 2 === 0 ? 'Berlin' : index,
    })),
  })),
}

export const stories: readonly Story[] = [
  { title: 'Rules', render: () => <Example query={example} /> },
  {
    title: 'Nothing yet',
    render: () => <Example query={{ combinator: 'and', rules: [] }} isLoading maxDepth={1} />,
  },
  { title: 'Disabled', render: () => <Example query={example} isDisabled /> },
  {
    title: 'Faults: a value is missing, a field is gone, no such comparison',
    render: () => <Example query={faulty} showsFaults />,
  },
  {
    title: '200 rules',
    render: () => (
      <Behind label="Show 200 rules">
        <Example query={many} />
      </Behind>
    ),
  },
]
