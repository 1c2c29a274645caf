import { z } from 'zod'

// The page's policy forbids code made from strings, which zod would otherwise use to be quicker. Imported before
// any schema is made.
z.config({ jitless: true })
