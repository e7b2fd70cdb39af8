import { render } from 'preact'

const root = document.getElementById('console')
if (root !== null) render(<p class="x">hello</p>, root)
