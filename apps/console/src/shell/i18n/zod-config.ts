import { z } from 'zod'

// The content security policy forbids `eval`, which zod uses for speed otherwise. Imported before any schema is
// created.
z.config({ jitless: true })
