import { type WidgetType, widgetTypes } from '@emma/contract/resources/dashboard.ts'
import { Button, Menu, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { widgetIcons } from './widget-icons.ts'
import { widgetKinds } from './widget-kinds.ts'

/** Menu of all widget types with descriptions. */
export function AddWidget({
  isFull,
  onAdd,
}: {
  isFull: boolean
  onAdd: (type: WidgetType) => void
}): ReactNode {
  const { t } = useTranslation()
  return (
    <Menu position="bottom-start" width={340}>
      <Menu.Target>
        <Button size="sm" variant="default" leftSection={<IconPlus size={16} />} disabled={isFull}>
          {t('dashboard.add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={440} style={{ overflowY: 'auto' }}>
        {kinds.map(type => {
          const Icon = widgetIcons[type]
          return (
            <Menu.Item key={type} leftSection={<Icon size={18} stroke={1.6} />} onClick={() => onAdd(type)}>
              {t(`dashboard.widgets.${type}.name`)}
              <Text size="xs" c="dimmed">
                {t(`dashboard.widgets.${type}.about`)}
              </Text>
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

const kinds = Object.keys(widgetKinds).flatMap(key => widgetTypes.filter(type => type === key))
