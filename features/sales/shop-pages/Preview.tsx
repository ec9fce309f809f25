import { useState } from 'react'
import { pictureAddress } from '#kit/picture.ts'
import { Choice } from '#web/form/Choice.tsx'
import styles from './customization.module.css'
import type { PageContent } from './rules.ts'
import { ShopView } from './ShopView.tsx'

const SIZES = [
  { value: 'phone', label: '手机' },
  { value: 'desk', label: '电脑' },
] as const
type Size = (typeof SIZES)[number]['value']

/** A shop that is none, for the page's other half. */
const SAMPLE = { name: '示例门店', versionName: '高级版', expiresAt: null, daysLeft: null, smsBalance: 520 }

type Props = {
  content: PageContent
  agent: { name: string; logo: string | null }
  /** Of an earlier version: without the choice of size. */
  small?: boolean
}

/** What shops see, as it is typed. Nothing in it leads away. */
export function Preview({ content, agent, small }: Props) {
  const [size, setSize] = useState<Size>('phone')
  const blocks = content.blocks
    .filter(({ enabled }) => enabled)
    .map(({ type, text, pictureId }) => ({
      ...{ type, text, link: null },
      picture: pictureId === null ? null : pictureAddress(pictureId),
    }))
  const notices = content.notices.filter(({ title }) => title.trim() !== '')
  return (
    <section className={styles.preview} aria-label="预览">
      {!small && (
        <Choice id="preview-size" label="预览尺寸" options={SIZES} value={size} onChange={setSize} />
      )}
      <div className={styles.screen} data-size={size} inert>
        <div>
          <ShopView page={{ shop: SAMPLE, agent, blocks, notices: [...notices] }} />
        </div>
      </div>
    </section>
  )
}
