import { type ReactNode, useState } from 'react'
import { notify } from '../src/feedback/notify.tsx'
import { MappingTable } from '../src/upload/mapping-table.tsx'
import { type MappingTarget, matchColumns } from '../src/upload/match-columns.ts'
import { UploadBox } from '../src/upload/upload-box.tsx'
import type { Story } from './story.ts'

const targets: MappingTarget[] = [
  { value: 'email', label: 'Email address', isRequired: true, synonyms: ['mail'] },
  { value: 'firstname', label: 'First name' },
  { value: 'lastname', label: 'Last name' },
  { value: 'city', label: 'City' },
]

const columns = [
  { name: 'Vorname', samples: ['Jörg', 'Ana', 'Zoë'] },
  { name: 'First name', samples: ['Jörg', 'Ana', 'Zoë'] },
  { name: 'Last_Name', samples: ['Müller', 'Núñez', 'Øst'] },
  {
    name: 'City',
    samples: ['Berlin', 'Madrid', 'Oslo, the capital of Norway and home of quite a few people'],
  },
]

async function pretend(
  file: File,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<string> {
  for (let step = 1; step <= 20; step += 1) {
    await new Promise(resolve => setTimeout(resolve, 100))
    signal.throwIfAborted()
    onProgress(step / 20)
    if (step === 10 && file.name.includes('bad')) throw new Error('The file is not UTF-8: line 12')
  }
  return 'ok'
}

function Mapped(): ReactNode {
  const [mapping, setMapping] = useState(
    matchColumns(
      columns.map(column => column.name),
      targets,
    ),
  )
  return <MappingTable columns={columns} targets={targets} mapping={mapping} onChange={setMapping} />
}

export const stories: readonly Story[] = [
  {
    title: 'Upload',
    render: () => (
      <UploadBox
        accept={['.csv', '.txt', '.gz']}
        maxSize={200_000_000}
        isMultiple
        upload={pretend}
        onUploaded={(_, file) => void notify.success(`${file.name} is in`)}
      />
    ),
  },
  { title: 'Mapping', render: () => <Mapped /> },
]
