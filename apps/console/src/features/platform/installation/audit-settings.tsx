import { saveAuditSettings } from '@emma/contract/actions/system-settings.ts'
import { NumberInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { fieldFault } from '../field-fault.ts'
import { SettingsForm, useSettingsSave } from './settings-form.tsx'
import { SettingsSection } from '../settings-section.tsx'

/** Section of the audit log's retention in days. */
export function AuditSettings({ days }: { days: number }): ReactNode {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(days)
  const save = useSettingsSave(() => api.call(saveAuditSettings, { body: { audit_days: draft } }))
  return (
    <SettingsSection
      title={t('platform.installation.audit.title')}
      text={t('platform.installation.audit.text')}
    >
      <SettingsForm save={save}>
        <NumberInput
          label={t('platform.installation.audit.days')}
          description={t('platform.installation.audit.days_text')}
          value={draft}
          min={0}
          max={36_500}
          allowDecimal={false}
          error={fieldFault(save.error, 'audit_days')}
          onChange={value => setDraft(Number(value))}
        />
      </SettingsForm>
    </SettingsSection>
  )
}
