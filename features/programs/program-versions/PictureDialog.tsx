import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { Dialog } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './versions.module.css'

type Answer = { base64: string } | { pictures: string[] }
type Props = {
  title: string
  note?: string
  // biome-ignore lint/suspicious/noExplicitAny: of each operation its own key
  query: UseQueryOptions<any, Error, any, any>
  onClose: () => void
}

/** A code to scan, or what a reviewer saw. */
export default function PictureDialog({ title, note, query, onClose }: Props) {
  const data = useQuery({ ...query, refetchOnWindowFocus: false, retry: false })
  const answer = data.data as Answer | undefined
  return (
    <Dialog title={title} width={480} onClose={onClose}>
      <div className={styles.told}>
        {data.isError ? (
          <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
        ) : !answer ? (
          <LoadingLines lines={6} />
        ) : 'base64' in answer ? (
          <img className={styles.picture} src={pictureOf(answer.base64)} alt={title} />
        ) : (
          answer.pictures.map((picture, place) => (
            <img
              key={picture.slice(-40)}
              className={styles.shot}
              src={pictureOf(picture)}
              alt={`${title} ${place + 1}`}
            />
          ))
        )}
        {note && <p className={styles.quiet}>{note}</p>}
      </div>
    </Dialog>
  )
}

const pictureOf = (base64: string) =>
  `data:image/${base64.startsWith('iVBOR') ? 'png' : 'jpeg'};base64,${base64}`
