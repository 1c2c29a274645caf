import type { TranslationRecord } from '@emma/contract/resources/translation.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { saveAsFile } from '@emma/ui/list/list-csv.ts'
import { Button, FileButton, Group } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../shell/i18n/error-text.ts'
import { readTextFile, textFile } from './text-file.ts'
import { flatten } from './text-rows.ts'
import type { useTranslations } from './use-translations.ts'

interface FileButtonsProps {
  records: readonly TranslationRecord[]
  change: ReturnType<typeof useTranslations>['change']
}

/** Export and import of all texts; keys missing in a file stay unchanged. */
export function FileButtons({ records, change }: FileButtonsProps): ReactNode {
  const { t } = useTranslation()

  async function take(file: File | null): Promise<void> {
    if (!file) return
    try {
      const languages = readTextFile(await file.text())
      if (!languages) return void notify.danger(t('translations.import_fault'))
      for (const [lang, localisation] of languages) await change(lang, { localisation })
      const count = languages.reduce((sum, [, texts]) => sum + flatten(texts).size, 0)
      notify.success(t('translations.imported', { count }))
    } catch (error) {
      showError(error)
    }
  }

  return (
    <Group gap="xs">
      <FileButton accept="application/json,.json" onChange={file => void take(file)}>
        {props => (
          <Button {...props} variant="default" leftSection={<IconUpload size={16} />}>
            {t('translations.import')}
          </Button>
        )}
      </FileButton>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        onClick={() => saveAsFile(textFile(records), 'emma-texts.json')}
      >
        {t('translations.export')}
      </Button>
    </Group>
  )
}
