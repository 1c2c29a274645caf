import { saveRealDelivery } from '@emma/contract/actions/system-settings.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { Alert, Badge, Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { otherFault } from '../field-fault.ts'
import { SettingsSection } from '../settings-section.tsx'
import { useSettingsSave } from './settings-form.tsx'

/** Switch for real delivery; turning it on asks for confirmation. */
export function RealDelivery({ isOn }: { isOn: boolean }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`platform.installation.real_delivery.${key}`)
  const save = useSettingsSave(() => api.call(saveRealDelivery, { body: { real_delivery: !isOn } }))
  const ask = async () => {
    const confirmed = await confirm({
      title: text(isOn ? 'off_title' : 'on_title'),
      text: text(isOn ? 'off_text' : 'on_text'),
      confirmLabel: text(isOn ? 'switch_off' : 'switch_on'),
      danger: !isOn,
    })
    if (confirmed) save.mutate()
  }
  return (
    <SettingsSection
      title={text('title')}
      text={text(isOn ? 'is_on' : 'is_off')}
      aside={
        <Badge variant="light" color={isOn ? 'green' : 'gray'}>
          {text(isOn ? 'on' : 'off')}
        </Badge>
      }
    >
      {save.error && <Alert color="red">{otherFault(save.error)}</Alert>}
      <Group>
        <Button variant={isOn ? 'default' : 'filled'} loading={save.isPending} onClick={() => void ask()}>
          {text(isOn ? 'switch_off' : 'switch_on')}
        </Button>
      </Group>
    </SettingsSection>
  )
}
