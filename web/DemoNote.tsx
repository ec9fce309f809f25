/** Says on every page that nothing here is real. */
export function DemoNote() {
  return (
    <aside className="demo-note" aria-label="数据说明">
      演示数据
    </aside>
  )
}
