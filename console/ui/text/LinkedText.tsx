import { Anchor } from '@mantine/core'
import { Fragment } from 'react'

/** A text whose addresses are links. */
export const LinkedText = ({ text }: { text: string }) =>
  text.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}'])/).map((part, index) =>
    index % 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other key
      <Anchor key={index} href={part} target="_blank" rel="noreferrer nofollow" inherit>
        {part}
      </Anchor>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Fragment key={index}>{part}</Fragment>
    ),
  )
