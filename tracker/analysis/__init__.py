"""Error analysis of submissions (Shimorina et al. 2021, sections 3 and 5)."""
