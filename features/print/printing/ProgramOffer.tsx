import { useQuery } from '@tanstack/react-query'
import { PACK_SYSTEMS, PACKS_PATH, type PackedFile, type Packs, systemOf } from '#kit/print/bridge/packs.ts'
import { Button } from '#web/controls/Button.tsx'
import { copyText } from '#web/controls/copy.ts'
import { look } from '#web/controls/look.ts'
import styles from './printing.module.css'

const fetchPacks = async (): Promise<Packs> => {
  const answer = await fetch(`${PACKS_PATH}/packs.json`)
  if (!answer.ok) throw new Error(`packs.json: ${answer.status}`)
  return (await answer.json()) as Packs
}

/** Whom the program helps, its file for the system that asks, and how it is begun. */
export function ProgramOffer() {
  const { data, isError } = useQuery({ queryKey: ['print-packs'], queryFn: fetchPacks })
  const system = systemOf(navigator.userAgent)
  const files = data?.files.filter(file => file.system === system) ?? []
  return (
    <>
      <p className={look.quiet}>
        需要网络打印机、系统打印机、打印记录与重打，或几台打印机各打各的，才要安装打印程序。
      </p>
      {files.length > 0 && <Offered files={files} program={data?.program ?? ''} />}
      {files.length > 0 && data?.updates.some(update => update.system === system) && (
        <p className={look.quiet}>装好后每天自己更新，只接受本后台签名的版本。</p>
      )}
      {data && files.length === 0 && <FromSources isPacked={data.files.length > 0} />}
      {isError && <p className={styles.reason}>查不到打印程序的下载文件，请刷新页面再试</p>}
    </>
  )
}

function Offered({ files, program }: { files: readonly PackedFile[]; program: string }) {
  return (
    <ol className={styles.guide}>
      {files.slice(0, 1).map(file => (
        <li key={file.name}>
          <a className={look.inText} href={`${PACKS_PATH}/${file.name}`} download={file.name}>
            下载打印程序 {program}
          </a>
          （{PACK_SYSTEMS[file.system]}，{(file.byteSize / 1_048_576).toFixed(1)} MB），在接打印机的电脑上
          {beginningOf(file)}
          <span className={styles.command}>
            <button type="button" className={styles.hash} onClick={() => void copyText(file.sha256)}>
              <span className={look.visuallyHidden}>复制 </span>SHA-256 <code>{file.sha256}</code>
            </button>
          </span>
        </li>
      ))}
      <li>打印程序的页面自己打开，列出找到的打印机，点“添加”</li>
      <li>回到这里点“请求配对”，在打印程序的页面上核对数字后点“允许”</li>
      <li>浏览器询问是否允许访问此设备上的应用时，请选择允许</li>
    </ol>
  )
}

/** The installer where there is one, else an archive. */
function beginningOf({ system, name }: PackedFile): string {
  if (name.endsWith('.exe')) return '双击安装'
  return system === 'win-x64' ? '解压后双击里面的程序' : '解压后运行 start.sh'
}

/** Where nothing is packed for this system: what the operator does about it, and the way with Node. */
function FromSources({ isPacked }: { isPacked: boolean }) {
  const command = `node bridge.mjs --origin ${location.origin}`
  return (
    <>
      <p className={look.quiet}>
        {isPacked
          ? '这个系统没有现成的安装文件；装有 Node 24 的电脑可以这样运行：'
          : '后台还没有制作安装文件：请运营方在服务器上运行 npm run bridge:pack。装有 Node 24 的电脑现在就可以这样运行：'}
      </p>
      <ol className={styles.guide}>
        <li>
          <a className={look.inText} href="/bridge.mjs" download="bridge.mjs">
            下载打印程序
          </a>
          （bridge.mjs），放到接打印机的电脑上
        </li>
        <li>
          在它所在的文件夹运行下面的命令，再打开它说出的页面地址
          <span className={styles.command}>
            <code>{command}</code>
            <Button kind="link" onClick={() => void copyText(command)}>
              复制命令
            </Button>
          </span>
        </li>
        <li>在它的页面上添加打印机；回到这里点“请求配对”，或填写它显示的配对码</li>
        <li>浏览器询问是否允许访问此设备上的应用时，请选择允许</li>
      </ol>
    </>
  )
}
