import { campaignPreset } from '@emma/contract/resources/campaign-preset.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { useTranslate } from '@emma/ui/i18n.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { Button, Group, Menu } from '@mantine/core'
import {
  IconAdjustmentsPlus,
  IconChevronDown,
  IconDeviceFloppy,
  IconSettings,
  IconStar,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRights } from '../../../shell/session/use-rights.ts'
import type { CampaignValues } from '../editor/campaign-fields.ts'
import { ManagePresets } from './manage-presets.tsx'
import { PresetDialog } from './preset-dialog.tsx'
import { valuesForPreset, valuesFromPreset } from './preset-values.ts'
import { type CampaignPreset, usePresets } from './use-presets.ts'

/** Applies the client's presets to the form, and saves its settings as one. */
export function PresetMenu({ form }: { form: RecordForm<CampaignValues> }): ReactNode {
  const { t } = useTranslation()
  const kitText = useTranslate()
  const { presets } = usePresets()
  const { mayCreate, mayChange, mayDelete } = useRights(campaignPreset)
  const [open, setOpen] = useState<'save' | 'manage' | null>(null)
  const settings = valuesForPreset(form.values)
  if (presets.length === 0 && !mayCreate) return null

  const apply = (preset: CampaignPreset) => {
    const before = form.values
    const values = valuesFromPreset(preset.values, before)
    const fields = setAll(form, values)
    if (fields.length === 0) {
      notify.info(t('campaigns.presets.nothing', { name: preset.name }))
      return
    }
    const labels = fields.map(field => form.labels[field] ?? field).join(', ')
    const undo = () => {
      setAll(form, Object.fromEntries(fields.map(field => [field, Reflect.get(before, field)])))
    }
    notify.success(t('campaigns.presets.applied', { name: preset.name, fields: labels }), {
      action: { label: kitText('action.undo'), run: undo },
    })
  }

  return (
    <Group justify="flex-end" mb="sm">
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconAdjustmentsPlus size={16} />}
            rightSection={<IconChevronDown size={14} />}
          >
            {t('campaigns.presets.title')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown miw={260}>
          <Menu.Label>
            {t(presets.length > 0 ? 'campaigns.presets.apply' : 'campaigns.presets.none')}
          </Menu.Label>
          {presets.map(preset => (
            <Menu.Item
              key={preset.preset_id}
              rightSection={
                preset.is_default && <IconStar size={14} aria-label={t('campaigns.presets.is_default')} />
              }
              onClick={() => apply(preset)}
            >
              {preset.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {mayCreate && (
            <Menu.Item
              leftSection={<IconDeviceFloppy size={16} />}
              disabled={Object.keys(settings).length === 0}
              onClick={() => setOpen('save')}
            >
              {t('campaigns.presets.save')}
            </Menu.Item>
          )}
          {presets.length > 0 && (mayChange || mayDelete) && (
            <Menu.Item leftSection={<IconSettings size={16} />} onClick={() => setOpen('manage')}>
              {t('campaigns.presets.manage')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === 'manage' && <ManagePresets presets={presets} onClose={() => setOpen(null)} />}
      {open === 'save' && (
        <PresetDialog
          values={settings}
          labels={Object.keys(settings).map(field => form.labels[field] ?? field)}
          onClose={() => setOpen(null)}
        />
      )}
    </Group>
  )
}

function setAll(form: RecordForm<CampaignValues>, values: Partial<CampaignValues>): string[] {
  const entries = Object.entries(values)
  for (const [field, value] of entries) form.field(field as keyof CampaignValues).set(value)
  return entries.map(([field]) => field)
}
