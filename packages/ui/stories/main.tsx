import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Book } from './book.tsx'
import { readSettings, writeSettings } from './story-settings.ts'

/** The story book: `npm run stories`. The URL selects: `?story=list&scheme=dark&brand=ems&lng=de`. */
const begin = readSettings(location.search)

document.documentElement.lang = begin.lng
const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Book begin={begin} onChange={settings => history.replaceState(null, '', writeSettings(settings))} />
    </StrictMode>,
  )
}
