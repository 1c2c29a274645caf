import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export interface Tab {
  id: string
  label: ReactNode
  icon?: ReactNode
  /** Rendered when the tab is first selected. */
  content: () => ReactNode
}

export interface TabPanelsProps {
  tabs: readonly Tab[]
  label: string
  chosen: string
  onChoose: (id: string) => void
}

/** Controlled tabs. */
export function TabPanels({ tabs, label, chosen, onChoose }: TabPanelsProps): ReactNode {
  const current = tabs.some(tab => tab.id === chosen) ? chosen : (tabs[0]?.id ?? '')
  return (
    <Tabs value={current} onChange={id => onChoose(id ?? '')} keepMounted={false}>
      <Tabs.List aria-label={label} mb="md">
        {tabs.map(tab => (
          <Tabs.Tab key={tab.id} value={tab.id} leftSection={tab.icon}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(tab => (
        <Tabs.Panel key={tab.id} value={tab.id}>
          {tab.id === current && tab.content()}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

export interface UrlTabsProps {
  tabs: readonly Tab[]
  label: string
  /** Search parameter of the selected tab. */
  parameter?: string
}

/** Tabs with the selection in the URL, so that links and Back work. */
export function UrlTabs({ tabs, label, parameter = 'tab' }: UrlTabsProps): ReactNode {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const chosen = search[parameter]
  return (
    <TabPanels
      tabs={tabs}
      label={label}
      chosen={typeof chosen === 'string' ? chosen : ''}
      onChoose={id =>
        void navigate({
          to: '.',
          search: (current: Record<string, unknown>) => ({
            ...current,
            [parameter]: id === tabs[0]?.id ? undefined : id,
          }),
          resetScroll: false,
        })
      }
    />
  )
}
