import { readLocalStorageValue } from '@mantine/hooks'

const KEY = 'meydan.review.name'

/** The name that a client gave in this browser. */
export const writerName = {
  read: () => readLocalStorageValue<string>({ key: KEY, defaultValue: '' }),
  store: (name: string) => {
    try {
      localStorage.setItem(KEY, JSON.stringify(name))
    } catch {
      // The browser stores nothing: the name is asked again.
    }
  },
}
