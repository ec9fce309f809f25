import { isBlank } from '#kit/print/input/dither.ts'
import type { Logos } from '#kit/print/receipt-scene.ts'
import { toast } from '#web/controls/toast.ts'
import { Upload } from '#web/form/files/Upload.tsx'
import type { Uploads } from '#web/form/files/uploads.ts'
import styles from './items.module.css'
import { LOGO_HINT, RECEIPT_LOGO, RECEIPT_LOGO_KB } from './rules.ts'

type Props = {
  /** Of the input. */
  id: string
  picture: string | undefined
  logos: Logos | null
  onBusy: (busy: boolean) => void
  onChange: (picture: string | null) => void
}

/** Whether the picture is there that was chosen; else says so. */
export function isUploaded(uploads: Uploads): boolean {
  const under = uploads.broken()
  if (under) toast.warning(under.message)
  return under === null
}

/** The picture of a template's logo; without one shops print their own. */
export function LogoField({ id, picture, logos, onBusy, onChange }: Props) {
  const bitmap = logos?.get(picture ?? '')
  const isEmpty = bitmap !== undefined && isBlank(bitmap)
  return (
    <div className={styles.logo}>
      <Upload
        id={id}
        wide
        label="LOGO图片"
        value={picture ?? null}
        purpose={RECEIPT_LOGO}
        most={RECEIPT_LOGO_KB}
        hint={LOGO_HINT}
        onlyOne="只能上传一张LOGO图片"
        onBusy={onBusy}
        onChange={onChange}
      />
      <p className={styles.logoNote} data-broken={isEmpty || undefined} role={isEmpty ? 'alert' : undefined}>
        {isEmpty
          ? '图片没有深色的部分，打印出来是空白，请换一张'
          : '不上传时打印各店铺自己的LOGO；按黑白点阵打印，最宽 48 毫米。'}
      </p>
    </div>
  )
}
