import { useState } from 'react'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import { FileLink } from '#web/form/files/FileLink.tsx'
import styles from './documents.module.css'
import { Purpose } from './Purpose.tsx'
import type { LookPurpose } from './rules.ts'

type Props = { shop: { id: number; shopName: string }; count: number; onClose: () => void }

/** All papers of a shop as one file, once somebody has said what for. */
export default function ZipDialog({ shop, count, onClose }: Props) {
  const [purpose, setPurpose] = useState<LookPurpose>()
  return (
    <Dialog
      title="打包下载证件资料"
      width={480}
      dirty={false}
      onClose={onClose}
      footer={
        <>
          {purpose && (
            <FileLink
              kind="primary"
              href={`/api/documents/shop/${shop.id}/zip?purpose=${purpose}`}
              rows={null}
            >
              下载 {count} 份资料
            </FileLink>
          )}
          <Button onClick={onClose}>关闭</Button>
        </>
      }
    >
      <div className={styles.looked}>
        <p className={look.quiet}>
          「{shop.shopName}」的 {count} 份资料，包括被替换而尚未销毁的，打包为一个 zip
          文件；图片没有水印，请妥善保管。
        </p>
        <Purpose label="下载目的" value={purpose} onChange={setPurpose} />
      </div>
    </Dialog>
  )
}
