-- The language server of Flockwork in Neovim 0.7 or later. Save this file as ~/.config/nvim/plugin/flockwork.lua.

if vim.lsp.config then
  -- Version 0.11 or later.
  vim.filetype.add({ extension = { ron = "ron", rhai = "rhai" } })
  vim.lsp.config("flockwork", {
    cmd = { "flockwork", "lsp" },
    filetypes = { "ron", "rhai" },
    root_markers = { "scripts", ".git" },
  })
  vim.lsp.enable("flockwork")
else
  -- One server for all files.
  local client
  vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
    pattern = { "*.ron", "*.rhai" },
    callback = function()
      client = client
        or vim.lsp.start_client({
          name = "flockwork",
          cmd = { "flockwork", "lsp" },
          root_dir = vim.fn.getcwd(),
          on_exit = function() client = nil end,
        })
      vim.bo.omnifunc = "v:lua.vim.lsp.omnifunc"
      vim.lsp.buf_attach_client(0, client)
    end,
  })
end

-- Colors of tree-sitter, if its grammars are installed.
vim.api.nvim_create_autocmd("FileType", {
  pattern = { "ron", "rhai" },
  callback = function() pcall(vim.treesitter.start) end,
})

-- Formats files when they are saved. Remove this if you do not want that.
vim.api.nvim_create_autocmd("BufWritePre", {
  pattern = { "*.ron", "*.rhai" },
  callback = function()
    if vim.lsp.buf.format then
      vim.lsp.buf.format({ name = "flockwork" })
    else
      vim.lsp.buf.formatting_sync()
    end
  end,
})
