import type { TranslationRecord } from '@emma/contract/resources/translation.ts'
import { ActionIcon, Button, Popover, Stack, Switch, TextInput } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTranslate } from '@emma/ui/i18n.tsx'
import { showError } from '../../shell/i18n/error-text.ts'
import classes from './translations.module.css'
import type { useTranslations } from './use-translations.ts'

interface LanguageHeadProps {
  record: TranslationRecord
  change: ReturnType<typeof useTranslations>['change']
}

/** Column header of a language, with a button for its settings. */
export function LanguageHead({ record, change }: LanguageHeadProps): ReactNode {
  const { t } = useTranslation()
  const tKit = useTranslate()
  const [isOpen, setOpen] = useState(false)
  const [label, setLabel] = useState(record.label)
  const [optional, setOptional] = useState(record.optional)

  function toggle(): void {
    setLabel(record.label)
    setOptional(record.optional)
    setOpen(!isOpen)
  }

  async function save(): Promise<void> {
    try {
      await change(record.language, { label, optional })
      setOpen(false)
    } catch (error) {
      showError(error)
    }
  }

  return (
    <span className={classes.language}>
      <span lang={record.language}>{record.label}</span>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus withinPortal>
        <Popover.Target>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={t('translations.language', { language: record.label })}
            onClick={toggle}
          >
            <IconSettings size={15} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          <Stack gap="sm" w={260}>
            <TextInput
              label={t('translations.label')}
              value={label}
              maxLength={60}
              onChange={event => setLabel(event.currentTarget.value)}
            />
            <Switch
              label={t('translations.optional')}
              description={t('translations.optional_text')}
              checked={optional}
              onChange={event => setOptional(event.currentTarget.checked)}
            />
            <Button size="compact-sm" disabled={label.trim() === ''} onClick={() => void save()}>
              {tKit('action.save')}
            </Button>
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </span>
  )
}
