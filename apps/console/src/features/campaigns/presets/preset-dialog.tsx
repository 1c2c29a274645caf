import { campaignPreset, type PresetValues } from '@emma/contract/resources/campaign-preset.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Checkbox, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NameDialog } from '../../../shell/layout/name-dialog.tsx'
import { saveRecord } from '../../../shell/resource/record-calls.ts'

interface PresetDialogProps {
  values: PresetValues
  /** Labels of the settings that are saved. */
  labels: readonly string[]
  onClose: () => void
}

/** Asks for the name of a new preset. */
export function PresetDialog({ values, labels, onClose }: PresetDialogProps): ReactNode {
  const { t } = useTranslation()
  const [isDefault, setDefault] = useState(false)
  async function save(name: string): Promise<void> {
    const record = { name, values, is_default: isDefault }
    await saveRecord(campaignPreset, null, record, { changed: record, revision: undefined })
    notify.success(t('campaigns.presets.saved', { name }))
  }
  return (
    <NameDialog
      title={t('campaigns.presets.save')}
      label={t('campaigns.campaignpreset.fields.name')}
      save={save}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('campaigns.presets.holds', { fields: labels.join(', ') })}
      </Text>
      <Checkbox
        label={t('campaigns.campaignpreset.fields.is_default')}
        checked={isDefault}
        onChange={event => setDefault(event.currentTarget.checked)}
      />
    </NameDialog>
  )
}
