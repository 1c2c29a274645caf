import { campaignPreset } from '@emma/contract/resources/campaign-preset.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { useTranslate } from '@emma/ui/i18n.tsx'
import { ActionIcon, Group, Stack, Switch, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { patchRecord, removeRecord, restoreRecord } from '../../../shell/resource/record-calls.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import type { CampaignPreset } from './use-presets.ts'

interface ManagePresetsProps {
  presets: readonly CampaignPreset[]
  onClose: () => void
}

/** The client's presets: which one new campaigns start with, and deletion. */
export function ManagePresets({ presets, onClose }: ManagePresetsProps): ReactNode {
  const { t } = useTranslation()
  const kitText = useTranslate()
  const { mayChange, mayDelete } = useRights(campaignPreset)
  const [busy, setBusy] = useState<number | null>(null)

  async function run(preset: CampaignPreset, work: () => Promise<unknown>): Promise<void> {
    setBusy(preset.preset_id)
    try {
      await work()
    } catch (cause) {
      notify.danger(errorText(cause))
    }
    setBusy(null)
  }

  const setDefault = (preset: CampaignPreset, isDefault: boolean) =>
    run(preset, () =>
      patchRecord(campaignPreset, preset.preset_id, { is_default: isDefault }, preset.revision),
    )
  const remove = (preset: CampaignPreset) =>
    run(preset, async () => {
      await removeRecord(campaignPreset, preset.preset_id)
      const restore = () => void run(preset, () => restoreRecord(campaignPreset, preset.preset_id))
      notify.success(t('action.deleted', { name: preset.name }), {
        action: { label: kitText('action.undo'), run: restore },
      })
    })

  return (
    <Dialog title={t('campaigns.presets.manage')} isOpen onClose={onClose}>
      <Stack gap="xs">
        {presets.length === 0 && <Text c="dimmed">{t('campaigns.presets.none')}</Text>}
        {presets.map(preset => (
          <Group key={preset.preset_id} justify="space-between" wrap="nowrap">
            <Text truncate>{preset.name}</Text>
            <Group gap="sm" wrap="nowrap">
              <Switch
                label={t('campaigns.presets.is_default')}
                aria-label={t('campaigns.presets.default', { name: preset.name })}
                checked={preset.is_default}
                disabled={!mayChange || busy !== null}
                onChange={event => void setDefault(preset, event.currentTarget.checked)}
              />
              {mayDelete && (
                <ActionIcon
                  variant="subtle"
                  color="red"
                  disabled={busy !== null}
                  aria-label={t('campaigns.presets.delete', { name: preset.name })}
                  onClick={() => void remove(preset)}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              )}
            </Group>
          </Group>
        ))}
      </Stack>
    </Dialog>
  )
}
