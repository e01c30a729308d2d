import { useLocalStorage } from '@mantine/hooks'

/** Whether keys without Ctrl or ⌘ do something; who dictates or brushes keys turns them off, in this browser. */
export const useLetterKeys = () =>
  useLocalStorage({ key: 'meydan.letter_keys', defaultValue: true, getInitialValueInEffect: false })
