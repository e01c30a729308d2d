import { Avatar } from '@mantine/core'
import { NetworkIcon } from '../networks/NetworkIcon'
import classes from './AccountAvatar.module.css'

const colors = ['iznik', 'blue', 'orange', 'grape', 'violet', 'pink', 'indigo', 'cyan']

type Props = {
  id: string
  name: string
  /** The network whose mark is shown; not on its own pages. */
  network?: string
  size?: number
  /** Address of the picture on the network; absent or null shows the initials. */
  picture?: string | null
}

/** The picture of an account, or its initials in a colour of its own, so that accounts can be told apart. */
export function AccountAvatar({ id, name, network, size = 38, picture }: Props) {
  const color = colors[Number.parseInt(id.slice(-4), 16) % colors.length]
  return (
    <span className={classes.avatar} aria-hidden="true">
      <Avatar
        name={name}
        src={picture ?? null}
        size={size}
        classNames={{ placeholder: classes.initials }}
        {...(color && { color })}
      />
      {network && (
        <span className={classes.mark}>
          <NetworkIcon network={network} size={Math.round(size * 0.4)} />
        </span>
      )}
    </span>
  )
}
